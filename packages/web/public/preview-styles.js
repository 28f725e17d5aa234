// Applies the styles of the elements of a preview, which the content security policy does not allow in attributes, and then
// shows it.
;(() => {
  const preview = document.querySelector('#preview')
  if (preview === null) return
  for (const element of preview.querySelectorAll('[data-style]'))
    element.style.cssText = element.dataset.style
  preview.dataset.styled = ''
})()
