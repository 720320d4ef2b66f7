import { sign, verify, type KeyObject } from 'node:crypto'
import { dsse } from '@sigstore/core'
import { keyIdOf } from './keys.ts'

/** An in-toto Statement, as DSSE names what it carries. */
export const statementType = 'application/vnd.in-toto+json'

/** A signed text: Dead Simple Signing Envelope (DSSE v1), with one signature. */
export interface Envelope {
  readonly payloadType: string
  /** Base64. */
  readonly payload: string
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }]
}

/** Signs a Statement with an Ed25519 key. */
export function seal(statement: string, key: KeyObject): Envelope {
  const payload = Buffer.from(statement)
  const sig = sign(null, dsse.preAuthEncoding(statementType, payload), key).toString('base64')
  return {
    payloadType: statementType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyIdOf(key), sig }],
  }
}

/** Whether the key signed what the envelope carries. */
export function signatureFits({ payloadType, payload, signatures }: Envelope, key: KeyObject): boolean {
  const signed = dsse.preAuthEncoding(payloadType, Buffer.from(payload, 'base64'))
  return verify(null, signed, key, Buffer.from(signatures[0].sig, 'base64'))
}
