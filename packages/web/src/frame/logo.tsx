import classes from './logo.module.css'

export function Logo({ withName = true }: { withName?: boolean }) {
  return (
    <span className={classes.logo}>
      <svg
        viewBox="0 0 32 32"
        width="24"
        height="24"
        aria-hidden={withName}
        role={withName ? undefined : 'img'}
      >
        {!withName && <title>Quayside</title>}
        <rect width="32" height="32" rx="8" fill="#0b6bcb" />
        <path d="M7 20.500h18" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
        <path d="M10 16.500v-6.200h5.200v6.200zm6.800 0v-4h5.200v4z" fill="#fff" />
        <path
          d="M7 25c1.500-1.200 3-1.200 4.500 0s3 1.200 4.500 0 3-1.200 4.500 0 3 1.200 4.500 0"
          fill="none"
          stroke="#fff"
          strokeWidth="1.8"
          strokeLinecap="round"
          opacity=".75"
        />
      </svg>
      {withName && <span className={classes.name}>Quayside</span>}
    </span>
  )
}
