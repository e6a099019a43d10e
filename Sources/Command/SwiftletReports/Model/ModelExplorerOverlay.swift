package import SwiftletJSON

/// Exports the layers of a diagnosis as node data for Model Explorer.
///
/// Model Explorer colors the nodes of a graph by a file of node data, and lists the values in its side panel. A file
/// contains one data set per graph, so each quantity has its own file.
package enum ModelExplorerOverlay {
  /// One quantity of the layers.
  package struct DataSet: Sendable, Hashable {
    /// A part of a file name: `added-error`.
    package var name: String
    /// The quantity and its unit: `added error, SNR (dB)`.
    package var title: String
    /// The content of the file.
    package var document: JSONValue
  }

  /// Returns a data set for the added errors and one for the times, without the quantities that no layer has.
  ///
  /// - Parameters:
  ///   - diagnosis: The output of `doctor --json`.
  ///   - graph: The name of the model's first subgraph.
  package static func dataSets(_ diagnosis: JSONValue, graph: String) -> [DataSet] {
    let layers = diagnosis["layers"]?.elements ?? []
    let nodes = keys(of: layers)
    func dataSet(
      _ name: String, _ title: String, _ colors: JSONValue.Member, _ value: (JSONValue) -> JSONValue?
    ) -> DataSet? {
      let results = zip(nodes, layers).compactMap { key, layer -> JSONValue.Member? in
        guard let key, let number = value(layer), number.isFiniteNumber else { return nil }
        return JSONValue.Member(key: key, value: .object(["value": number]))
      }
      guard !results.isEmpty else { return nil }
      let data = JSONValue.object([
        JSONValue.Member(key: "results", value: .object(results)),
        JSONValue.Member(key: "name", value: .string(title)), colors,
      ])
      // The adapters for .tflite files give an unnamed main graph this ID. All other graphs have their name as ID.
      let id = graph.isEmpty ? "main" : graph
      return DataSet(name: name, title: title, document: .object([JSONValue.Member(key: id, value: data)]))
    }
    return [
      dataSet("added-error", "added error, SNR (dB)", thresholds) { $0["added"]?["snr_db"] },
      dataSet("time", "time (ms)", gradient) { $0["time_ms"] },
    ].compactMap(\.self)
  }

  /// Returns the key of each layer's node, or `nil` for a layer without one.
  ///
  /// Model Explorer resolves a key as the name of a node's output tensor first, and then as the node's ID. Names work
  /// with both of its adapters for .tflite files. The ID is the operator's index only in the default adapter.
  private static func keys(of layers: [JSONValue]) -> [String?] {
    var uses: [String: Int] = [:]
    for layer in layers { uses[layer["tensor"]?.stringValue ?? "", default: 0] += 1 }
    return layers.map { layer in
      if let name = layer["tensor"]?.stringValue, !name.isEmpty, uses[name] == 1 { return name }
      guard case .int(let index)? = layer["operator"], uses[String(index)] == nil else { return nil }
      return String(index)
    }
  }

  // The colors are those of the page's light scheme, at the same limits.
  private static let thresholds = JSONValue.Member(
    key: "thresholds",
    value: .array(
      [(10, "#c2415c"), (20, "#d67f91"), (30, "#e5abb8"), (40, "#f2d8de")].map { limit, color in
        .object(["value": .int(limit), "bgColor": .string(color)])
      }))
  private static let gradient = JSONValue.Member(
    key: "gradient",
    value: .array(
      [(0, "#ffffff"), (1, "#2f6fd6")].map { stop, color in
        .object(["stop": .int(stop), "bgColor": .string(color)])
      }))
}

extension JSONValue {
  fileprivate subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  fileprivate var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  fileprivate var stringValue: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  fileprivate var isFiniteNumber: Bool {
    switch self {
    case .int: true
    case .double(let number): number.isFinite
    case .float(let number): number.isFinite
    default: false
    }
  }
}
