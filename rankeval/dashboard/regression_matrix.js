// A table of runs against runs, a button in each cell.  Names are set as text, so they show as they are written.
export default function ({ data, parentElement, setTriggerValue }) {
  const make = (tag, className, content) => {
    const element = document.createElement(tag);
    element.className = className;
    element.append(content);
    return element;
  };
  const heading = (scope, name) => {
    const cell = make("th", "", make("bdi", "", name));
    cell.scope = scope;
    return cell;
  };
  const button = (count, said, pair) => {
    const element = make("button", "rk-cell", String(count));
    element.type = "button";
    element.title = said;
    element.setAttribute("aria-label", said);
    element.onclick = () => setTriggerValue("pair", pair);
    return make("td", "", element);
  };

  const head = make("tr", "", heading("col", data.corner));
  data.names.forEach((name) => head.append(heading("col", name)));
  const table = make("table", "rk-matrix", head);
  data.names.forEach((name, row) => {
    const line = make("tr", "", heading("row", name));
    data.counts[row].forEach((count, column) =>
      line.append(row === column ? make("td", "", "·") : button(count, data.said[row][column], [row, column])),
    );
    table.append(line);
  });
  parentElement.querySelector(".rk-matrix-place").replaceChildren(table);
}
