/** Rate, workspace concurrency, model capacity (section 7): none speaks of the request, and nothing was done. */
export const loadCodes: readonly number[] = [10008, 30006, 30008]

/** Missing and invalid API key (section 5): the target does not know the key. */
export const keyCodes: readonly number[] = [10001, 10003]
