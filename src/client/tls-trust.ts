import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/** Trusts what Node and the system trust, and the profile's own authority. Made once: reading the roots takes a while. */
export function trust(caPem: string | undefined): SecureContext {
  if (caPem === undefined) return (systemTrust ??= createSecureContext({ ca: roots() }))
  return createSecureContext({ ca: [...roots(), caPem] })
}

let systemTrust: SecureContext | undefined
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
