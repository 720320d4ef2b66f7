/** 2.8 and 4.3: voices. */
export const voices = () => ({})
