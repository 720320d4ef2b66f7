/**
 * Why a certificate is not accepted.
 *
 * `no-certificate`: it is none, or one of a format that this Greenroom does not read. `not-genuine`: it is one, and what it
 * says does not hold. `not-judgeable`: another version of Greenroom has to judge its traces.
 */
export type TroubleKind = 'no-certificate' | 'not-genuine' | 'not-judgeable'

/** The message is one sentence without its full stop, to follow the name of the file: "was cut: …". */
export class CertificateTrouble extends Error {
  override readonly name = 'CertificateTrouble'
  readonly kind: TroubleKind

  constructor(kind: TroubleKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export function notGenuine(message: string): CertificateTrouble {
  return new CertificateTrouble('not-genuine', message)
}
