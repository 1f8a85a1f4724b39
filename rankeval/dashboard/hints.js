// Only the visitor's browser knows whether the hints were closed, so closing them asks nothing of the server.

const KEY = "rankeval hints closed";

export default function ({ data, parentElement }) {
  const list = parentElement.querySelector(".rk-hints");
  const button = parentElement.querySelector(".rk-hints-close");
  const show = (open) => { list.hidden = button.hidden = !open; };
  list.replaceChildren(...data.hints.map((hint) => {
    const item = document.createElement("li");
    item.textContent = hint;
    return item;
  }));
  button.textContent = data.close;
  button.onclick = () => { localStorage.setItem(KEY, "yes"); show(false); };
  show(localStorage.getItem(KEY) === null);
}
