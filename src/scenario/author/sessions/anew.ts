/** A service may let a session fail (3.2): so many others are made in its place. */
const others = 2

/** Makes a session, and others in its place while they failed. */
export async function anew<Made>(make: () => Promise<Made>, failed: (made: Made) => boolean): Promise<Made> {
  let made = await make()
  for (let count = 0; count < others && failed(made); count += 1) made = await make()
  return made
}
