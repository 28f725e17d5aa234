/** Extensions of files that a browser, a plug-in or an operating system may run or render. */
export const activeEndings: readonly string[] =
  `html htm xhtml xht shtml mht mhtml svg svgz xml xsl xslt rss atom js mjs cjs ts jsx json jsonld map css pdf
  swf wasm hta htc vbs bat exe jar jnlp xpi crx webmanifest manifest appcache ics vcf url webloc txt md csv eml php zip
  png gif`.split(/\s+/)

/** The content of a page that runs a script if a browser renders it. */
export const activeContent = Buffer.from(
  '<!doctype html><html xmlns="http://www.w3.org/1999/xhtml"><script>alert(document.domain)</script></html>',
)
