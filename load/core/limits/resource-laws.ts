export interface LawEntry {
  /** What a correct target does. */
  readonly says: string
  /** The rows of the register that the law stands on. */
  readonly requirements: readonly string[]
}

/** What audio files and characters have to keep, whoever else uploads, creates and deletes. */
export const resourceLaws = {
  'upload-refused': {
    says: 'an honest WAV file is accepted',
    requirements: ['audio-files.upload.wav-accepted'],
  },
  'file-size-wrong': {
    says: '`size_bytes` is the number of bytes that were sent',
    requirements: ['audio-files.file.size-bytes-exact'],
  },
  'file-type-wrong': {
    says: 'the detected `mime_type` of a WAV file is a name of that type',
    requirements: ['audio-files.file.mime-type-wav'],
  },
  'file-id-shape': { says: '`file_id` begins with `file_aud_`', requirements: ['audio-files.file.id-shaped'] },
  'file-ids-shared': {
    says: 'files of different bytes never have the same `file_id`',
    requirements: ['audio-files.file.ids-distinct'],
  },
  'file-kind-wrong': { says: '`file_type` is `audio`', requirements: ['audio-files.file.type-audio'] },
  'file-url-missing': { says: '`url` is a text', requirements: ['audio-files.file.url-string'] },
  'file-url-relative': {
    says: '`url` is an absolute HTTP or HTTPS URL',
    requirements: ['audio-files.file.url-absolute'],
  },
  'file-time-wrong': {
    says: '`created_at` is an RFC 3339 timestamp',
    requirements: ['audio-files.file.created-at-timestamp'],
  },
  'page-refused': {
    says: 'List Characters with a `page_size` of 2, 3 or 200 and no `page_token` is not called a wrong request',
    requirements: ['characters.list.accepted'],
  },
  'page-item-name': {
    says: 'an item of the pages shows the name that its character was created with',
    requirements: ['characters.list.item-name'],
  },
  'page-item-model': {
    says: 'an item of the pages shows the model that its character was created with',
    requirements: ['characters.list.item-model'],
  },
  'page-item-time': {
    says: 'an item of the pages shows the `created_at` that the create answered',
    requirements: ['characters.list.item-timestamps-agree'],
  },
  'page-item-unknown': {
    // No row of the register: nothing else asks how many characters one create makes.
    says: 'a create that was answered at once makes one character, the one of its answer',
    requirements: [],
  },
  'page-of-another-workspace': {
    says: 'the pages show no character of another workspace',
    requirements: ['characters.scope.other-workspace-list-hidden'],
  },
  'character-not-deleted': {
    says: 'the delete of a character that the pages show is carried out',
    requirements: ['characters.delete.accepted'],
  },
  'page-item-twice': {
    says: 'the pages show a character that was there all along once',
    requirements: ['characters.list.each-once'],
  },
  'page-item-missing': {
    says: 'the pages show every character that was there all along',
    requirements: ['characters.list.shows-all'],
  },
  'page-too-long': {
    says: 'a page holds no more characters than its `page_size`',
    requirements: ['characters.list.page-size-bounds'],
  },
  'page-order': {
    says: 'newer characters come before older ones, from page to page',
    requirements: ['characters.list.newest-first', 'characters.list.newest-first-across-pages'],
  },
  'page-without-end': {
    says: 'the pages come to an end',
    requirements: ['characters.list.ends'],
  },
  'page-token-refused': {
    says: 'a page token that has just been given leads to the next page',
    requirements: ['characters.list.shows-all'],
  },
  'page-shows-deleted': {
    says: 'the pages show no deleted character',
    requirements: ['characters.list.hides-deleted'],
  },
} as const satisfies { readonly [law: string]: LawEntry }
