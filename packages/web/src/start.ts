import './styles.css'

/** Resolves when the browser has painted the preview, because running the scripts of the console takes longer. */
const previewPainted = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.querySelector('#preview') === null || document.visibilityState === 'hidden') resolve()
    else requestAnimationFrame(() => setTimeout(resolve))
  })

function showFailure(): void {
  document.querySelector('#preview')?.remove()
  const message = document.createElement('p')
  message.className = 'load-problem'
  message.textContent = 'The console could not be loaded. Check your connection and reload the page.'
  document.querySelector('#root')?.append(message)
}

// A module that awaited this itself could not be imported by the modules that it loads.
void previewPainted()
  .then(() => import('./main.tsx'))
  .catch(showFailure)
