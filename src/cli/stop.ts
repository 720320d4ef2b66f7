import { messageOf } from '#trace/message-of'

/** Ends a command with one sentence and an exit code: 2 wrong usage or profile, 3 not to be judged, 4 our own fault. */
export class Stop extends Error {
  override readonly name = 'Stop'
  readonly exit: 2 | 3 | 4

  constructor(exit: 2 | 3 | 4, sentence: string) {
    super(sentence)
    this.exit = exit
  }
}

/** Wrong usage or profile: the sentence names the field and what to do. */
export function usage(sentence: string): Stop {
  return new Stop(2, sentence)
}

/** Why the system refused a file, in words. */
export function fileTrouble(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return troubles[code] ?? messageOf(error)
}

const troubles: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it exists already',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EFBIG: 'the file would become too large',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
}
