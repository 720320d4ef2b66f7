/** How many control channels a scenario that can do without one still opens where none ever says anything. */
export const mostInVain = 3
