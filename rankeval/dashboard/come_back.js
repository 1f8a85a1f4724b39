// A tab keeps its address while its visitor is at the login, and goes back to it once.

const key = "rankeval before the login";

export default function ({ data, setStateValue }) {
  if (data.leaving) {
    sessionStorage.setItem(key, location.href);
    return;
  }
  const before = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (before && before !== location.href) {
    location.replace(before);
  } else {
    setStateValue("here", true);
  }
}
