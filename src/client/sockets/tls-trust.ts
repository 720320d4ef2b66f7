import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/**
 * Trusts what Node and the system trust, and the profile's own authority. Made once for each authority: reading the roots
 * takes a while.
 */
export function trust(caPem: string | undefined): SecureContext {
  const known = made.get(caPem)
  if (known !== undefined) return known
  // The profile's own comes first: of two that have one subject (`CN=localhost`, say) the first one is looked at alone.
  const context = createSecureContext({ ca: caPem === undefined ? roots() : [caPem, ...roots()] })
  made.set(caPem, context)
  return context
}

const made = new Map<string | undefined, SecureContext>()
let knownRoots: readonly string[] | undefined

function roots(): string[] {
  knownRoots ??= [...new Set([...getCACertificates('default'), ...systemRoots()].map((pem) => pem.trim()))]
  return [...knownRoots]
}

function systemRoots(): readonly string[] {
  try {
    return getCACertificates('system')
  } catch {
    return []
  }
}
