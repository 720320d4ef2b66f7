import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { asset } from './document.ts'
import { type Html, html, jsonBlock, nothing } from './html.ts'
import { folded } from './parts.ts'

export interface Line {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** Not what was measured but what it is held against. */
  readonly reference?: boolean
}

/** A vertical line. */
export interface Mark {
  readonly at: number
  readonly label: string
  /** Undefined where it is neither. */
  readonly tone?: 'good' | 'bad'
}

export interface Chart {
  readonly id: string
  readonly title: string
  /** What there is to see, in a sentence: it stands for the picture where nobody sees it. */
  readonly says: string
  readonly axis: 'seconds' | 'nights' | 'rate'
  readonly x: readonly number[]
  /** Names of the nights. */
  readonly names?: readonly string[]
  readonly unit: string
  readonly lines: readonly Line[]
  readonly marks?: readonly Mark[]
  readonly short?: boolean
  /** Where the lines are of very different size. */
  readonly logarithmic?: boolean
}

const colours = 8

/** Charts and the markup that holds them. */
export interface Drawn {
  readonly markup: Html
  readonly charts: readonly Chart[]
}

/** A figure with its legend, its picture (drawn by `browser/charts.js`) and its numbers. */
export function figure(chart: Chart, numbers: Html, group?: string): Html {
  const { id, title, says, short = false } = chart
  const belongs = group === undefined ? nothing : html` data-group="${group}"`
  return html`<figure id="${id}-figure"${belongs}><figcaption><strong>${title}</strong><span>${says}</span></figcaption>
${legend(chart)}<div class="chart" id="${id}" role="img" aria-label="${`${title}. ${says}`}" data-height="${short ? 'short' : 'tall'}"></div>
${numbers.markup === '' ? nothing : folded('Numbers of this chart', numbers)}</figure>`
}

function legend({ id, lines }: Chart): Html {
  const one = (line: Line, index: number): Html =>
    html`<li>${lines.length === 1 ? nothing : html`<i data-colour="${colourOf(index)}" data-dash="${dashOf(line, index)}"></i>${line.label}`}<b></b></li>`
  return html`<ul class="legend" id="${id}-legend">${lines.map(one)}<li class="where soft"></li></ul>`
}

/** What a page with charts needs beside their figures. */
export function chartParts(charts: readonly Chart[]): {
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  readonly data: readonly Html[]
} {
  return {
    styles: [uplot('uPlot.min.css'), asset('src/page/browser/charts.css')],
    scripts: [uplot('uPlot.iife.min.js'), asset('src/page/browser/charts.js')],
    data: [jsonBlock('charts', charts.map(drawing))],
  }
}

function uplot(file: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(`uplot/dist/${file}`), 'utf8')
}

/** What the script needs to draw it. */
function drawing({ id, axis, x, names, unit, lines, marks = [], logarithmic = false }: Chart): object {
  return {
    id,
    axis,
    x,
    unit,
    logarithmic,
    marks,
    ...(names === undefined ? {} : { names }),
    lines: lines.map((line, index) => ({
      label: line.label,
      values: line.values.map((value) => (value === null ? null : Number(value.toPrecision(6)))),
      colour: colourOf(index),
      dash: dashOf(line, index),
    })),
  }
}

const colourOf = (index: number): number => (index % colours) + 1

function dashOf(line: Line, index: number): number {
  if (line.reference === true) return 1
  return index >= colours ? 2 : 0
}

/** Buttons of which each shows one figure of a group. */
export function chooser(
  group: string,
  label: string,
  choices: readonly { readonly id: string; readonly name: string }[],
): Html {
  const button = ({ id, name }: { id: string; name: string }, index: number): Html =>
    html`<button type="button" class="quiet" hidden data-group="${group}" data-shows="${id}-figure" aria-pressed="${index === 0 ? 'true' : 'false'}">${name}</button>`
  return html`<div class="choose" role="group" aria-label="${label}">${choices.map(button)}</div>`
}
