import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Profile } from '#spec/profile'
import { fileTrouble, usage } from '../stop.ts'

/** @throws Stop (2) unless `ca_file`, where given, holds a certificate */
export function checkAuthority({ ca_file }: Profile): void {
  if (ca_file === undefined) return
  const pem = readPem(ca_file)
  try {
    void new X509Certificate(pem)
  } catch {
    throw usage(`ca_file ${ca_file} holds no certificate; it must be a PEM file ("-----BEGIN CERTIFICATE-----")`)
  }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usage(`ca_file ${file} cannot be read: ${fileTrouble(error)}`)
  }
}
