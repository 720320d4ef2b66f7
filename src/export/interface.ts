/** What both documents say of the interface (Conventions, section 9). */
export const title = 'Streaming Avatar and Streaming World Service Interface'

/** The version of the interface that is described (9.2). */
export const version = '1.0.0'

/** Of the documents. */
export const license = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }

/** Any part of a document. */
export interface JsonObject {
  readonly [field: string]: unknown
}

/** Part of a document that stands elsewhere in it. */
export interface Reference {
  readonly $ref: string
}
