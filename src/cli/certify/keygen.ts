import { rmSync, writeFileSync } from 'node:fs'
import { keyIdOf, makeKeys, readVerifier } from '#certificate/keys'
import type { Shell } from '../shell.ts'
import { fileTrouble, usage } from '../stop.ts'

export interface KeygenOptions {
  readonly out: string
}

/** Writes a new pair of keys; a key that is there already is never written over. @throws Stop (2) */
export function keygen({ out }: KeygenOptions, shell: Shell): number {
  const keys = makeKeys()
  const publicFile = `${out}.pub`
  writeNew(out, keys.private_key, 0o600)
  try {
    writeNew(publicFile, keys.public_key, 0o644)
  } catch (error) {
    rmSync(out, { force: true })
    throw error
  }
  shell.out(`${keyIdOf(readVerifier(keys.public_key))}\n`)
  shell.err(
    `${out} signs certificates: keep it secret. ${publicFile} verifies them: hand it to whoever shall trust them.\n`,
  )
  return 0
}

function writeNew(file: string, pem: string, mode: number): void {
  try {
    writeFileSync(file, pem, { flag: 'wx', mode })
  } catch (error) {
    throw usage(`--out: ${file} cannot be written: ${fileTrouble(error)}; give another name`)
  }
}
