import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyIdOf, KeyTrouble, makeKeys, pemOf, readSigner, readVerifier } from './keys.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

test('a new pair belongs together, by its id and as PEM', () => {
  const keys = makeKeys()
  const signer = readSigner(keys.private_key, undefined)
  expect(keyIdOf(signer)).toBe(keyIdOf(readVerifier(keys.public_key)))
  expect(keyIdOf(readVerifier(keys.private_key))).toBe(keyIdOf(signer))
  expect(pemOf(signer)).toBe(keys.public_key)
  expect(keyIdOf(createPublicKey(makeKeys().public_key))).not.toBe(keyIdOf(signer))
})

test('an encrypted key asks for its passphrase, and takes no other', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'right' }))
  expect(keyIdOf(readSigner(pem, 'right'))).toBe(keyIdOf(privateKey))
  expect(() => readSigner(pem, undefined)).toThrow('is encrypted; put its passphrase into GREENROOM_KEY_PASSPHRASE')
  expect(() => readVerifier(pem)).toThrow(
    'holds an encrypted private key; a certificate is verified with the public one',
  )
  expect(() => readSigner(pem, 'wrong')).toThrow('cannot be read with the passphrase in GREENROOM_KEY_PASSPHRASE')
})

test.each([
  ['no PEM', () => readSigner('hello', undefined), /^holds no key in PEM form/],
  [
    'a public key that shall sign',
    () => readSigner(makeKeys().public_key, undefined),
    /^holds a public key; a certificate is signed with the private one$/,
  ],
  [
    'another kind of key',
    () => readSigner(String(rsa.privateKey.export({ format: 'pem', type: 'pkcs8' })), undefined),
    /^holds a key of type rsa; certificates are signed with Ed25519/,
  ],
  [
    'another kind that shall verify',
    () => readVerifier(String(rsa.publicKey.export({ format: 'pem', type: 'spki' }))),
    /^holds a key of type rsa/,
  ],
])('%s is refused in words', (_, read, message) => {
  expect(read).toThrow(KeyTrouble)
  expect(read).toThrow(message)
})
