/** 2.11 to 2.13, 3.2, 3.3 and 4.5: world sessions. */
export const world = () => ({})
