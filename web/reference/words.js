/** The words of the page, in its language. */
export const words = JSON.parse(document.getElementById('words').dataset.words)
