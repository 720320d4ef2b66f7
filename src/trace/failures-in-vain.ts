/**
 * So many repetitions after a failure of the target may be in vain, one after another, before a run sends nothing again after
 * such a failure: from then on the single one that a trace holds is believed.
 */
export const mostFailuresInVain = 8
