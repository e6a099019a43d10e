import SwiftletJSON
import SwiftletReports
import Testing

@Suite("Model Explorer overlay")
struct ModelExplorerOverlayTests {
  private static func layer(
    _ index: Int, _ tensor: JSONValue, ratio: JSONValue = .null, time: JSONValue = .null
  ) -> JSONValue {
    .object([
      "operator": .int(index), "tensor": tensor, "added": .object(["snr_db": ratio]), "time_ms": time,
    ])
  }

  private static func dataSets(_ layers: [JSONValue], graph: String = "main") -> [ModelExplorerOverlay.DataSet] {
    ModelExplorerOverlay.dataSets(.object(["layers": .array(layers)]), graph: graph)
  }

  @Test("each quantity is a document in the format of node data")
  func format() {
    let sets = Self.dataSets([
      Self.layer(0, .string("a"), ratio: .double(7.5), time: .double(0.25)), Self.layer(1, .string("b"), time: .int(1)),
    ])
    #expect(sets.map(\.name) == ["added-error", "time"])
    #expect(
      sets[0].document.text
        == #"{"main":{"results":{"a":{"value":7.5}},"name":"added error, SNR (dB)","thresholds":["#
        + ##"{"value":10,"bgColor":"#c2415c"},{"value":20,"bgColor":"#d67f91"},{"value":30,"bgColor":"#e5abb8"},"##
        + ##"{"value":40,"bgColor":"#f2d8de"}]}}"##)
    #expect(
      sets[1].document.text
        == #"{"main":{"results":{"a":{"value":0.25},"b":{"value":1}},"name":"time (ms)","gradient":["#
        + ##"{"stop":0,"bgColor":"#ffffff"},{"stop":1,"bgColor":"#2f6fd6"}]}}"##)
  }

  @Test("quantities that no layer has are omitted, as are numbers that aren't finite")
  func absent() {
    #expect(Self.dataSets([]).isEmpty && ModelExplorerOverlay.dataSets(.null, graph: "").isEmpty)
    #expect(Self.dataSets([Self.layer(0, .string("a"))]).isEmpty)
    #expect(Self.dataSets([.object(["operator": .int(0), "added": .null])]).isEmpty)
    let sets = Self.dataSets([
      Self.layer(0, .string("a"), ratio: .double(.infinity), time: .double(.nan)),
      Self.layer(1, .string("b"), time: .double(2)), Self.layer(2, .string("c"), time: .string("2")),
    ])
    #expect(sets.map(\.name) == ["time"] && sets[0].document.text.contains(#""results":{"b":{"value":2.0}}"#))
  }

  @Test("a node's key is the name of its tensor, or its index if the name isn't unique")
  func keys() {
    let names: [JSONValue] = [.string("x"), .string("x"), .null, .string(""), .string("4"), .string("3")]
    let text = Self.dataSets(names.enumerated().map { Self.layer($0, $1, time: .int($0)) })[0].document.text
    // Operator 3 has no key, because "3" is a tensor of operator 5.
    #expect(
      text.contains(
        #""results":{"0":{"value":0},"1":{"value":1},"2":{"value":2},"4":{"value":4},"3":{"value":5}}"#), "\(text)")
  }

  @Test(
    "the graph's ID is its name, or the adapters' name of an unnamed graph",
    arguments: [("", "main"), ("a\"b", "a\\\"b")])
  func graph(name: String, id: String) {
    let set = Self.dataSets([Self.layer(0, .string("a"), time: .int(1))], graph: name)[0]
    #expect(set.document.text.hasPrefix("{\"\(id)\":{\"results\""))
  }
}
