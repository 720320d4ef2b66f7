/** Rate, workspace concurrency, model capacity (section 7): none speaks of the request, and nothing was done. */
export const loadCodes: readonly number[] = [10008, 30006, 30008]

/** Billing that is not active, and a balance that is used up (5.6): of what a workspace may start, and not of the request. */
export const billingCodes: readonly number[] = [10004, 10005]

/** Missing and invalid API key (section 5): the target does not know the key. */
export const keyCodes: readonly number[] = [10001, 10003]

/** Moderation rejected the content (section 7): what it rejects is not said. */
export const moderationCode = 30001

/** Whether a code, where there is one, says that the key is missing or invalid. */
export function isKeyCode(code: number | undefined): boolean {
  return code !== undefined && keyCodes.includes(code)
}
