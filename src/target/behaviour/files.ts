/** 2.8 and 4.3: audio files. */
export const files = () => ({})
