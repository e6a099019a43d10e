import Foundation
import SwiftletJSON
import SwiftletMeasurement

/// The distribution of the shares of a group of draws.
struct ShapeGroup {
  var name: String
  var shares: Sample

  /// The share that counts as close to the roofline.
  static let goodShare = 0.75

  /// - Returns: `nil` if the group has no draws.
  init?(_ name: String, _ shares: [Double]) {
    guard !shares.isEmpty else { return nil }
    self.name = name
    self.shares = Sample(shares)
  }

  /// The share of the draws that are close to the roofline.
  var good: Double { Double(shares.values.count { $0 > Self.goodShare }) / Double(shares.count) }

  /// Returns the groups of each thread count: all draws, large products, each class, each type, and both, if they have
  /// any draws.
  static func groups(_ results: [ShapeResult]) -> [ShapeGroup] {
    Set(results.map(\.threads)).sorted().flatMap { threads in
      groups(results.filter { $0.threads == threads }, suffix: threads == 1 ? "" : ", \(threads) threads")
    }
  }

  private static func groups(_ results: [ShapeResult], suffix: String) -> [ShapeGroup] {
    func group(_ name: String, _ isMember: (ShapeResult) -> Bool) -> ShapeGroup? {
      ShapeGroup(name + suffix, results.filter(isMember).map(\.share))
    }
    let main = [
      group("all") { _ in true },
      group("products and convolutions above 1 MFLOP") {
        $0.draw.shapeClass.isMatrixProduct && $0.draw.operations > 1_000_000
      },
    ]
    let classes = ShapeClass.allCases.map { kind in group(kind.rawValue) { $0.draw.shapeClass == kind } }
    let types = ShapeType.allCases.map { type in group(type.rawValue) { $0.draw.type == type } }
    let both = ShapeClass.allCases.flatMap { kind in
      ShapeType.allCases.map { type in
        group("\(kind.rawValue), \(type.rawValue)") { $0.draw.shapeClass == kind && $0.draw.type == type }
      }
    }
    return (main + classes + types + both).compactMap(\.self)
  }

  static let header =
    "\(TextColumn.pad("share of the roofline", 42))   draws   median      10 %       1 %   above 75 %\n"

  var row: String {
    TextColumn.pad(name, 42)
      + String(
        format: " %7d %6.1f %%  %6.1f %%  %6.1f %%  %9.1f %%\n", shares.count, shares.median * 100,
        shares.quantile(0.1) * 100, shares.quantile(0.01) * 100, good * 100)
  }

  var json: JSONValue {
    .object([
      "group": .string(name), "draws": .int(shares.count), "median": .double(shares.median),
      "p10": .double(shares.quantile(0.1)), "p1": .double(shares.quantile(0.01)), "above_75_percent": .double(good),
    ])
  }

  /// Returns the table of all groups, and the draws with the lowest shares.
  static func summary(_ results: [ShapeResult], worst: Int = 50) -> String {
    guard !results.isEmpty else { return "" }
    let lowest = results.sorted { $0.share < $1.share }.prefix(worst)
    return "\n\(header)" + groups(results).map(\.row).joined() + "\nLowest shares:\n\n\(ShapeResult.header)"
      + lowest.map(\.row).joined()
  }
}
