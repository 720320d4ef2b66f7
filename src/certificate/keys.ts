import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** A file holds no key that can sign or verify; the message says what is wrong, to follow the name of the file. */
export class KeyTrouble extends Error {
  override readonly name = 'KeyTrouble'
}

/** A new pair of Ed25519 keys, as PEM (PKCS#8 and SPKI). */
export function makeKeys(): { readonly private_key: string; readonly public_key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { private_key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })), public_key: pemOf(publicKey) }
}

/**
 * The private key that signs.
 *
 * @param passphrase of a PEM that is encrypted
 * @throws KeyTrouble
 */
export function readSigner(pem: string, passphrase: string | undefined): KeyObject {
  if (/^-----BEGIN PUBLIC KEY-----/m.test(pem))
    throw new KeyTrouble('holds a public key; a certificate is signed with the private one')
  const encrypted = isEncrypted(pem)
  if (encrypted && passphrase === undefined)
    throw new KeyTrouble('is encrypted; put its passphrase into GREENROOM_KEY_PASSPHRASE')
  return ed25519(() => createPrivateKey({ key: pem, passphrase: passphrase ?? '' }), encrypted)
}

/** The public key that verifies; taken out of a private one where that is given. @throws KeyTrouble */
export function readVerifier(pem: string): KeyObject {
  if (isEncrypted(pem))
    throw new KeyTrouble('holds an encrypted private key; a certificate is verified with the public one')
  return ed25519(() => createPublicKey(pem))
}

const isEncrypted = (pem: string): boolean => /ENCRYPTED/.test(pem)

function ed25519(read: () => KeyObject, encrypted = false): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch {
    const why = encrypted
      ? 'cannot be read with the passphrase in GREENROOM_KEY_PASSPHRASE'
      : 'holds no key in PEM form'
    throw new KeyTrouble(`${why}; "npx greenroom certify keygen" makes a pair`)
  }
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new KeyTrouble(
    `holds a key of type ${key.asymmetricKeyType ?? 'unknown'}; certificates are signed with Ed25519, "npx greenroom certify keygen" makes a pair`,
  )
}

/** What a key is known by: sha256 (hex) of its public half in SPKI DER. */
export function keyIdOf(key: KeyObject): string {
  const der = publicHalf(key).export({ format: 'der', type: 'spki' })
  return `sha256:${createHash('sha256').update(der).digest('hex')}`
}

/** The public half as PEM. */
export function pemOf(key: KeyObject): string {
  return String(publicHalf(key).export({ format: 'pem', type: 'spki' }))
}

function publicHalf(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key
}
