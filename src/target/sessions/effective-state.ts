/** The part of a session that `session.update` may change (4.4). */
export interface EffectiveState {
  mode: string
  activeAvatarId: string
  /** `null` in `text_chat`, or where a defect resolves none. */
  sourceImageId: string | null
}
