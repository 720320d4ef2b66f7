import { fileDefects } from './audio-files/file.ts'
import { uploadDefects } from './audio-files/upload.ts'

export const audioFileDefects = [...uploadDefects, ...fileDefects]
