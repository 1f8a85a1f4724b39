// A name is told to the server once a page load; telling it again would draw the page again, without an end.

const told = new Set();

export default function ({ data, setStateValue }) {
  const key = "rankeval annotator " + data.round;
  const stored = localStorage.getItem(key);
  if (data.name) {
    localStorage.setItem(key, data.name);
  } else if (stored && !told.has(key)) {
    told.add(key);
    setStateValue("name", stored);
  }
}
