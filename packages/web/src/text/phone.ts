export const phoneText = {
  title: 'Phones cannot open this link yet',
  explanation:
    'The server is only available on this computer. To open it on phones in your network, stop it and start it with this command:',
  address: 'Phones can then open it at:',
  addresses:
    'This computer has several addresses. If phones cannot open the first, use another one in the command:',
  docs: 'Containers, WSL and firewalls',
  noAddress:
    'The server is only available on its own computer, and its address in your network is unknown. Restart it with a URL that phones can open.',
  noAddressDocs: 'Make the server available to phones',
}
