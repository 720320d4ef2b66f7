import { cloneDefects } from './voices/clone.ts'
import { voiceScopeDefects } from './voices/scope.ts'
import { voiceShownDefects } from './voices/shown.ts'

export const voiceDefects = [...cloneDefects, ...voiceShownDefects, ...voiceScopeDefects]
