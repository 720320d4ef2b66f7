import { createHmac, randomBytes } from 'node:crypto'

/** One per secret, the same in every process of a run that shares the salt, and no way back to the secret. */
export interface StandIns {
  /** Such as `[client_secret 81034216]`; the label is that of the first sight. */
  text(secret: string, label: string): string
  /** A whole number for a whole number, a broken one for a broken one. */
  number(secret: number): number
  /** Fixes the stand-in of a value that is known from the start: `[api_key primary]`. */
  fix(secret: string, label: string): string
  /** Whether the text is a stand-in that was given out. */
  issued(text: string): boolean
}

/** Whether a text of a trace looks like a stand-in for a secret. */
export function isStandIn(text: string): boolean {
  return /^\[[\w.-]+ [\w.-]+\]$/.test(text)
}

/** @param salt the same for all processes of a run; keeps others from guessing secrets by their stand-ins */
export function createStandIns(salt: string = randomBytes(16).toString('hex')): StandIns {
  const bySecret = new Map<string, string>()
  const given = new Set<string>()

  function digest(secret: string): number {
    return createHmac('sha256', salt).update(secret).digest().readUIntBE(0, 5)
  }

  function remember(secret: string, standIn: string): string {
    if (bySecret.size < mostRemembered) bySecret.set(secret, standIn)
    given.add(standIn)
    return standIn
  }

  function free(label: string, number: number): string {
    const standIn = `[${label} ${number}]`
    return given.has(standIn) && bySecret.size < mostRemembered ? free(label, number + 1) : standIn
  }

  return {
    text: (secret, label) => bySecret.get(secret) ?? remember(secret, free(plain(label), digest(secret))),
    number: (secret) => (secret === 0 ? 0 : digest(String(secret)) + (Number.isInteger(secret) ? 1 : 0.5)),
    fix: (secret, label) => bySecret.get(secret) ?? remember(secret, `[${label}]`),
    issued: (text) => given.has(text),
  }
}

const mostRemembered = 100_000

function plain(label: string): string {
  return label.toLowerCase().replaceAll(/[^\w.-]/g, '_')
}
