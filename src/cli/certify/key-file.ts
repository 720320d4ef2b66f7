import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { KeyTrouble, readSigner, readVerifier } from '#certificate/keys'
import type { Shell } from '../shell.ts'
import { readNamedText } from '../named-files.ts'
import { usage } from '../stop.ts'

/** @throws Stop (2) for a file that holds no private Ed25519 key */
export function signerIn(file: string, env: Shell['env']): KeyObject {
  return keyIn(file, (pem) => readSigner(pem, env['GREENROOM_KEY_PASSPHRASE']))
}

/** @throws Stop (2) for a file that holds no Ed25519 key */
export function verifierIn(file: string): KeyObject {
  return keyIn(file, readVerifier)
}

function keyIn(file: string, read: (pem: string) => KeyObject): KeyObject {
  const pem = readNamedText(file, `--key ${file}`)
  try {
    return read(pem)
  } catch (error) {
    if (error instanceof KeyTrouble) throw usage(`--key ${file} ${error.message}`)
    throw error
  }
}

/** Whether a file that could be read holds a key that signs. */
export function isPrivate(file: string): boolean {
  return /^-----BEGIN (?:\w+ )?PRIVATE KEY-----/m.test(readFileSync(file, 'utf8'))
}
