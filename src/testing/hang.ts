/**
 * When a test gives up waiting for what never comes, in milliseconds. It ends what hangs; no test passes or fails by the
 * speed of the machine.
 */
export const HANG_MS = 60_000

/** The same for tests that drive whole runs. */
export const WHOLE_RUN_MS = 600_000
