/** 3.6 and 4.2: characters, and 4.1: sessions from them. */
export const characters = () => ({})
