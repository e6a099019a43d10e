import SwiftletImage
import SwiftletScenes
import SwiftletTracking
import SwiftletVision

/// Compares what was found with what was drawn.
enum DemoTruth {
  /// Boxes that overlap by half are of the same thing, as usual in evaluations.
  static let leastOverlap = 0.5

  static func rectangle(_ box: LabelBox, _ image: InputImage) -> PixelRect {
    let (width, height) = (Double(image.width), Double(image.height))
    return PixelRect(
      x: Double(box.left) * width, y: Double(box.top) * height, width: Double(box.right - box.left) * width,
      height: Double(box.bottom - box.top) * height)
  }

  /// Which drawn box each found one is, the best first; each is taken once.
  ///
  /// - Parameter isAlike: whether two may be the same, by their numbers.
  static func matches(_ found: [PixelRect], _ drawn: [PixelRect], isAlike: (Int, Int) -> Bool) -> [(
    found: Int, drawn: Int, overlap: Double
  )] {
    let pairs = found.indices.flatMap { one in
      drawn.indices.map { (found: one, drawn: $0, overlap: found[one].intersectionOverUnion(with: drawn[$0])) }
    }
    var (usedFound, usedDrawn): (Set<Int>, Set<Int>) = ([], [])
    var result: [(found: Int, drawn: Int, overlap: Double)] = []
    for pair in pairs.sorted(by: { $0.overlap > $1.overlap })
    where pair.overlap >= leastOverlap && isAlike(pair.found, pair.drawn) {
      guard !usedFound.contains(pair.found), !usedDrawn.contains(pair.drawn) else { continue }
      usedFound.insert(pair.found)
      usedDrawn.insert(pair.drawn)
      result.append(pair)
    }
    return result
  }

  /// How many of those drawn were found, and how many that were not drawn.
  static func agreement(matched: Int, found: Int, drawn: Int, detail: String = "") -> DemoAgreement {
    let isFull = matched == drawn && found == drawn
    var parts: [String] = []
    if isFull { parts.append(drawn == 0 ? "nothing, as drawn" : "all found") }
    if matched < drawn { parts.append("\(drawn - matched) missed") }
    if found > matched { parts.append("\(found - matched) too many") }
    return DemoAgreement(isFull: isFull, verdict: parts.joined(separator: ", "), detail: detail)
  }

  /// The mean over the categories of the share of pixels, of those that either says are of a category, of which both
  /// say so.
  static func meanOverlap(_ found: [UInt8], _ drawn: [UInt8]) -> Double {
    var shared = [Int](repeating: 0, count: 256), either = [Int](repeating: 0, count: 256)
    for (one, other) in zip(found, drawn) {
      either[Int(one)] += 1
      if one == other { shared[Int(one)] += 1 } else { either[Int(other)] += 1 }
    }
    let shares = either.indices.filter { either[$0] > 0 }.map { Double(shared[$0]) / Double(either[$0]) }
    return shares.isEmpty ? 1 : shares.reduce(0, +) / Double(shares.count)
  }
}
