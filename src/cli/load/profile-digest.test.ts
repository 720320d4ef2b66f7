import { expect, test } from 'vitest'
import type { Profile } from '#spec/profile'
import { profileDigest } from './profile-digest.ts'

const at = (base_url: string, control: string): Profile => ({
  base_url,
  ca_file: `${new URL(base_url).port}.pem`,
  keys: { primary: 'KEY' },
  control_hosts: [control],
})

test('a target on this machine is the same with other ports, that of its control channel among them', () => {
  const first = profileDigest(at('https://127.0.0.1:4001', 'localhost:5001'))
  expect(profileDigest(at('https://127.0.0.1:4002', 'localhost:5002'))).toBe(first)
  expect(profileDigest(at('https://127.0.0.1:4002', 'other.example:5002'))).not.toBe(first)
})

test('elsewhere a port is part of what a target is', () => {
  const first = profileDigest(at('https://staging.example', 'control.example:5001'))
  expect(profileDigest(at('https://staging.example', 'control.example:5001'))).toBe(first)
  expect(profileDigest(at('https://staging.example', 'control.example:5002'))).not.toBe(first)
})
