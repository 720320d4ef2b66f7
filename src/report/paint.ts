/** Colours a piece of text, or leaves it alone where nobody sees colours. */
export type Paint = (style: 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim', text: string) => string

export const noPaint: Paint = (_style, text) => text
