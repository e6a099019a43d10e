import SwiftletAudio
import SwiftletCommandLine
import SwiftletImage
import SwiftletImageCodecs
import SwiftletLocalServer
import SwiftletVision

/// Reads a task's input from a request.
struct StudioRequestInput {
  /// The maximum width and height of a raw frame.
  private static let maximumFrameSide = 4096
  private static let maximumTextByteCount = 1 << 20

  private static let limits: ImageDecoderLimits = {
    var limits = ImageDecoderLimits.default
    limits.maximumPixelCount = 50_000_000
    limits.maximumWorkingByteCount = 512 << 20
    return limits
  }()

  private let query: [String: String]
  private let body: [UInt8]
  private let contentType: String
  private let task: StudioTask

  /// - Throws: `UsageError` if the request names a sample that doesn't exist.
  init(_ request: HTTPRequest, _ task: StudioTask, _ samples: StudioSamples) throws {
    query = request.query
    self.task = task
    if let id = request.query["sample"] {
      (contentType, body) = try samples.sample(id)
    } else {
      (contentType, body) = (request.contentType, request.body)
    }
  }

  func input() throws -> StudioInput {
    switch task.input {
    case .image: return .image(try image(body))
    case .imagePoint:
      guard let point = Self.point(query["point"]) else {
        throw HTTPFailure(422, "point is not two numbers from 0 to 1, such as 0.5,0.25")
      }
      return .point(try image(body), point)
    case .imagePair:
      let (first, second) = try Self.parts(body, query, "image")
      return .images(try image(first), try image(second))
    case .sound: return .sound(try AudioClip(wav: body))
    case .text: return .text(try text(body))
    case .textPair:
      let parts = body.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw HTTPFailure(422, "the task takes two texts, separated by a zero byte") }
      return .texts(try text(Array(parts[0])), try text(Array(parts[1])))
    }
  }

  /// The point of interest until one is chosen.
  static let center = NormalizedPoint(x: 0.5, y: 0.5)

  /// Returns the point of a parameter.
  static func point(_ text: String?) -> NormalizedPoint? {
    let numbers = (text ?? "").split(separator: ",", omittingEmptySubsequences: false).compactMap { Float($0) }
    guard numbers.count == 2, numbers.allSatisfy({ (0...1).contains($0) }) else { return nil }
    return NormalizedPoint(x: numbers[0], y: numbers[1])
  }

  /// Returns the two files of a body; the parameter `first` is the size of the first one.
  ///
  /// - Parameter what: What the files are, in errors.
  static func parts(
    _ body: [UInt8], _ query: [String: String], _ what: String
  ) throws(HTTPFailure) -> ([UInt8], [UInt8]) {
    guard let first = query["first"].flatMap({ Int($0) }), first > 0, first < body.count else {
      throw HTTPFailure(422, "first is not the size of the first \(what)")
    }
    return (Array(body[..<first]), Array(body[first...]))
  }

  private func image(_ bytes: [UInt8]) throws -> InputImage {
    guard contentType != "application/octet-stream" || query["width"] == nil else { return try frame(bytes) }
    let decoded = try ImageDecoder.decode(bytes: bytes, limits: Self.limits)
    return InputImage(try decoded.image.oriented(decoded.orientation))
  }

  /// Returns the image of raw pixels: red, green, blue, and alpha.
  private func frame(_ bytes: [UInt8]) throws -> InputImage {
    let sides = ["width", "height"].compactMap { query[$0].flatMap { Int($0) } }
    guard sides.count == 2, sides.allSatisfy((1...Self.maximumFrameSide).contains) else {
      throw HTTPFailure(422, "width and height are not numbers from 1 to \(Self.maximumFrameSide)")
    }
    guard bytes.count == sides[0] * sides[1] * 4 else {
      throw HTTPFailure(
        422, "a frame of \(sides[0])×\(sides[1]) pixels has \(sides[0] * sides[1] * 4) bytes, got \(bytes.count)")
    }
    return InputImage(try ImageBuffer(bytes: bytes, width: sides[0], height: sides[1], pixelFormat: .rgba8))
  }

  private func text(_ bytes: [UInt8]) throws -> String {
    guard bytes.count <= Self.maximumTextByteCount else {
      throw HTTPFailure(413, "a text has at most \(Self.maximumTextByteCount) bytes")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
