import { createRef } from 'react'

/** Menus belong to the content, so that screen readers find them inside of a landmark. */
export const main_content = createRef<HTMLElement>()
