import SwiftletBase
import SwiftletEngine

/// The tensors of a detection operator, and the steps shared by both suppression methods.
struct DetectionLayout: Sendable {
  let options: DetectionOptions
  let boxCount: Int
  /// The number of scores per box, including the background score.
  let columnCount: Int
  let decoder: BoxDecoder
  let scores: TensorSlot
  let boxes: TensorSlot
  let classes: TensorSlot
  let results: TensorSlot
  let count: TensorSlot
  let location: RuntimeError.Location

  /// The column of the first class.
  var firstColumn: Int { columnCount - options.classCount }

  /// Sets every output to zero.
  func clear(_ run: RunContext) {
    let slots = options.maxDetections &* options.maxClassesPerDetection
    run.pointer(boxes, as: Float.self).update(repeating: 0, count: 4 &* slots)
    run.pointer(classes, as: Float.self).update(repeating: 0, count: slots)
    run.pointer(results, as: Float.self).update(repeating: 0, count: slots)
    run.pointer(count, as: Float.self)[0] = 0
  }

  @inline(__always)
  func write(_ box: CornerBox, class index: Int, score: Float, to slot: Int, _ run: RunContext) {
    let corners = run.pointer(boxes, as: Float.self) + 4 &* slot
    corners[0] = box.minY
    corners[1] = box.minX
    corners[2] = box.maxY
    corners[3] = box.maxX
    run.pointer(classes, as: Float.self)[slot] = Float(index)
    run.pointer(results, as: Float.self)[slot] = score
  }

  /// Pops boxes from the heap, best first, and keeps each box that doesn't overlap one kept before.
  ///
  /// - Parameters:
  ///   - selected: Memory for `limit` entries.
  ///   - boxes: Memory for `limit` boxes.
  /// - Returns: The number of boxes kept.
  func suppress(
    _ heap: inout ScoreHeap, limit: Int, selected: UnsafeMutablePointer<ScoreHeap.Entry>,
    boxes: UnsafeMutablePointer<CornerBox>, _ run: RunContext
  ) -> Int {
    var kept = 0
    while kept < limit, let entry = heap.pop() {
      let box = decoder.box(Int(entry.index), run)
      var isSuppressed = false
      for other in 0..<kept where boxes[other].intersectionOverUnion(with: box) > options.overlapThreshold {
        isSuppressed = true
        break
      }
      if isSuppressed { continue }
      selected[kept] = entry
      boxes[kept] = box
      kept &+= 1
    }
    return kept
  }

  /// Returns the approximate maximum work of `suppress`, in nanoseconds, for a number of boxes in the heap. Each box is
  /// compared with all kept boxes.
  func suppressionWork(candidates: Int, limit: Int) -> Double {
    ScoreHeap.work(entries: candidates) + Double(candidates) * (60 + 3 * Double(limit))
  }

  /// Checks the anchors.
  ///
  /// - Throws: An error if an anchor has a negative size, which would swap the corners of its box.
  func checkAnchors(_ range: Range<Int>, _ run: RunContext) throws {
    for index in range {
      let anchor = decoder.anchor(index, run)
      guard anchor.height < 0 || anchor.width < 0 else { continue }
      throw RuntimeError(
        .invalidInput, "anchor \(index) has the size \(anchor.width) × \(anchor.height), it must not be negative",
        location: location)
    }
  }
}

/// A decoder from an encoded box and its anchor to corners.
struct BoxDecoder: Sendable {
  let encodings: TensorSlot
  let anchors: TensorSlot
  /// The number of elements per encoded box.
  let stride: Int
  let scales: CenterBox
  /// The quantization parameters; `nil` if encodings and anchors are float32.
  let quantization: (encodings: (scale: Float, zeroPoint: Int32), anchors: (scale: Float, zeroPoint: Int32))?

  @inline(__always)
  private func read(
    _ slot: TensorSlot, at offset: Int, _ quantization: (scale: Float, zeroPoint: Int32)?, _ run: RunContext
  ) -> CenterBox {
    guard let quantization else {
      let numbers = run.pointer(slot, as: Float.self) + offset
      return CenterBox(y: numbers[0], x: numbers[1], height: numbers[2], width: numbers[3])
    }
    let codes = run.pointer(slot, as: UInt8.self) + offset
    let zeroPoint = Float(quantization.zeroPoint)
    return CenterBox(
      y: (Float(codes[0]) - zeroPoint) * quantization.scale, x: (Float(codes[1]) - zeroPoint) * quantization.scale,
      height: (Float(codes[2]) - zeroPoint) * quantization.scale,
      width: (Float(codes[3]) - zeroPoint) * quantization.scale)
  }

  @inline(__always)
  func anchor(_ index: Int, _ run: RunContext) -> CenterBox {
    read(anchors, at: 4 &* index, quantization?.anchors, run)
  }

  /// Returns a decoded box, computed in double precision up to the corners, as in the reference.
  func box(_ index: Int, _ run: RunContext) -> CornerBox {
    let code = read(encodings, at: stride &* index, quantization?.encodings, run)
    let anchor = anchor(index, run)
    let centerY = Float(Double(code.y) / Double(scales.y) * Double(anchor.height) + Double(anchor.y))
    let centerX = Float(Double(code.x) / Double(scales.x) * Double(anchor.width) + Double(anchor.x))
    let halfHeight = Float(0.5 * exp(Double(code.height) / Double(scales.height)) * Double(anchor.height))
    let halfWidth = Float(0.5 * exp(Double(code.width) / Double(scales.width)) * Double(anchor.width))
    return CornerBox(
      minY: centerY - halfHeight, minX: centerX - halfWidth, maxY: centerY + halfHeight, maxX: centerX + halfWidth)
  }
}

/// An element type of class scores.
protocol DetectionScore: BitwiseCopyable, Sendable, Comparable {
  var number: Float { get }
  /// Returns the largest of `count` ≥ 1 contiguous scores.
  static func largest(of scores: UnsafePointer<Self>, count: Int) -> Self
}

extension Float: DetectionScore {
  var number: Float { self }
  static func largest(of scores: UnsafePointer<Float>, count: Int) -> Float {
    FloatMaximum().combine(run: scores, count: count)
  }
}

extension UInt8: DetectionScore {
  var number: Float { Float(self) }
  static func largest(of scores: UnsafePointer<UInt8>, count: Int) -> UInt8 {
    IntegerMaximum<UInt8>().combine(run: scores, count: count)
  }
}

/// The conversion of class scores to real numbers.
struct ScoreColumns<Element: DetectionScore>: Sendable {
  let scale: Float
  let zeroPoint: Float

  @inline(__always)
  func real(_ element: Element) -> Float { (element.number - zeroPoint) * scale }
}

/// An axis-aligned box defined by two corners, as detection operators read and write boxes.
struct CornerBox: BitwiseCopyable, Sendable, Hashable {
  var minY: Float
  var minX: Float
  var maxY: Float
  var maxX: Float

  init(minY: Float, minX: Float, maxY: Float, maxX: Float) {
    self.minY = minY
    self.minX = minX
    self.maxY = maxY
    self.maxX = maxX
  }

  /// Creates the box between two opposite corners `(y, x)`, in any order.
  init(corner firstY: Float, _ firstX: Float, and secondY: Float, _ secondX: Float) {
    self.init(
      minY: min(firstY, secondY), minX: min(firstX, secondX), maxY: max(firstY, secondY), maxX: max(firstX, secondX))
  }

  var area: Float { (maxY - minY) * (maxX - minX) }

  /// Returns the intersection over union. It is 0 if either box has no area, and otherwise NaN if a coordinate is NaN.
  ///
  /// - Source: the steps of TensorFlow Lite's reference kernels, which determine the result of a detection operator.
  ///   Tasks use MediaPipe's rule (`UprightBox`), where areas are computed from a size, and NaN results in 0.
  @inline(__always)
  func intersectionOverUnion(with other: CornerBox) -> Float {
    let area = area
    let otherArea = other.area
    if area <= 0 || otherArea <= 0 { return 0 }
    let height = max(min(maxY, other.maxY) - max(minY, other.minY), 0)
    let width = max(min(maxX, other.maxX) - max(minX, other.minX), 0)
    let shared = height * width
    return shared / (area + otherArea - shared)
  }
}
