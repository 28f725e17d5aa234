import './styles.css'
import { startText } from './text/start.ts'

/** Resolves when the browser has painted the preview, because running the scripts of the console takes longer. */
const previewPainted = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.querySelector('#preview') === null || document.visibilityState === 'hidden') resolve()
    else requestAnimationFrame(() => setTimeout(resolve))
  })

function showFailure(): void {
  document.querySelector('#preview')?.remove()
  const message = document.createElement('main')
  message.className = 'load-problem'
  const title = document.createElement('h1')
  title.textContent = startText.title
  const detail = document.createElement('p')
  detail.textContent = startText.detail
  message.append(title, detail)
  document.querySelector('#root')?.append(message)
}

document.querySelector('#stalled')?.remove()

// A module that awaited this itself could not be imported by the modules that it loads.
void previewPainted()
  .then(() => import('./main.tsx'))
  .catch(showFailure)
