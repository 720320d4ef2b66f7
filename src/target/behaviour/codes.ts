/** Section 7: every code the service answers with, its name, and the HTTP status it travels under. */
export type ErrorCode =
  | '10001'
  | '10003'
  | '10004'
  | '10005'
  | '10008'
  | '10009'
  | '20003'
  | '20004'
  | '20005'
  | '20006'
  | '20007'
  | '20008'
  | '20009'
  | '20010'
  | '20012'
  | '20013'
  | '20014'
  | '30001'
  | '30004'
  | '30006'
  | '30007'
  | '30008'

export const codeNames = (): Record<ErrorCode, string> => ({
  '10001': 'missing api key',
  '10003': 'invalid api key',
  '10004': 'workspace billing is not active',
  '10005': 'insufficient workspace balance',
  '10008': 'API rate limit exceeded',
  '10009': 'api access denied',
  '20003': 'missing required parameter',
  '20004': 'invalid parameter',
  '20005': 'not found',
  '20006': 'empty file',
  '20007': 'file too large',
  '20008': 'unsupported media type',
  '20009': 'invalid multipart form',
  '20010': 'missing file field',
  '20012': 'avatars is required',
  '20013': 'invalid avatars',
  '20014': 'output is required for video_avatar mode',
  '30001': 'content rejected by moderation',
  '30004': 'invalid argument',
  '30006': 'workspace concurrency limit exceeded',
  '30007': 'voice clone provider failed',
  '30008': 'model resource capacity exceeded',
})

/** Stated for 10008, 30006, 30008 (429) and 30007 (502); the others are "not shown" and free to vary. */
export const httpStatuses = (): Record<ErrorCode, number> => ({
  '10001': 401,
  '10003': 401,
  '10004': 402,
  '10005': 402,
  '10008': 429,
  '10009': 403,
  '20003': 400,
  '20004': 400,
  '20005': 404,
  '20006': 400,
  '20007': 413,
  '20008': 415,
  '20009': 400,
  '20010': 400,
  '20012': 400,
  '20013': 400,
  '20014': 400,
  '30001': 422,
  '30004': 400,
  '30006': 429,
  '30007': 502,
  '30008': 429,
})
