import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Profile } from '#spec/profile'
import { fileTrouble } from '../stop.ts'

/** What is wrong with `ca_file`, in a sentence; nothing where it holds a certificate or is not given. */
export function authorityFaults({ ca_file }: Pick<Profile, 'ca_file'>): readonly string[] {
  if (ca_file === undefined) return []
  try {
    const pem = readFileSync(ca_file, 'utf8')
    return holdsCertificate(pem)
      ? []
      : [`ca_file ${ca_file} holds no certificate; it must be a PEM file ("-----BEGIN CERTIFICATE-----")`]
  } catch (error) {
    return [`ca_file ${ca_file} cannot be read: ${fileTrouble(error)}`]
  }
}

function holdsCertificate(pem: string): boolean {
  try {
    void new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}
