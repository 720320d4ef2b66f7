/** Where no control channel ever says anything, a scenario that can do without one opens so many all the same. */
export const mostInVain = 3
