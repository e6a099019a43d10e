/// How brightness and colour of a YUV picture are to be understood.
public struct YUVEncoding: Sendable, Hashable {
  /// Which byte values are black, white and the strongest colours.
  public enum Range: Sendable, Hashable {
    /// Brightness 16…235, colour 16…240: television and most cameras (`420v`).
    case video
    /// 0…255 (`420f`, JPEG).
    case full
  }

  /// The weights of red, green and blue in brightness.
  public enum Matrix: Sendable, Hashable {
    /// Standard definition, and most still pictures.
    case bt601
    /// High definition.
    case bt709
    /// Ultra-high definition, in the form with constant weights for the values as they are stored.
    case bt2020

    /// The shares of red and blue in brightness; green has the rest.
    ///
    /// - Source: the recommendations ITU-R BT.601-7 (2.5.1), BT.709-6 (3.2) and BT.2020-2 (table 4, non-constant
    ///   luminance).
    var shares: (red: Double, blue: Double) {
      switch self {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    }
  }

  /// Which colour difference comes first in the chroma plane.
  public enum ChromaOrder: Sendable, Hashable {
    /// Blue first: NV12, `420v`, `420f`.
    case blueFirst
    /// Red first: NV21, the cameras of Android.
    case redFirst
  }

  /// The range of brightness and colour.
  public var range: Range
  /// The weights of red, green and blue.
  public var matrix: Matrix
  /// Which colour difference comes first.
  public var chromaOrder: ChromaOrder

  /// An encoding of these parts.
  public init(range: Range, matrix: Matrix = .bt601, chromaOrder: ChromaOrder = .blueFirst) {
    self.range = range
    self.matrix = matrix
    self.chromaOrder = chromaOrder
  }

  /// Factors in 16-bit fixed point.
  struct Coefficients: Sendable, Hashable {
    let black: Int32
    let luma: Int32
    let redFromV: Int32
    let greenFromU: Int32
    let greenFromV: Int32
    let blueFromU: Int32
  }

  var coefficients: Coefficients {
    let (red, blue) = matrix.shares
    let green = 1 - red - blue
    let (lumaScale, chromaScale): (Double, Double) = range == .video ? (255.0 / 219, 255.0 / 224) : (1, 1)
    func fixed(_ value: Double) -> Int32 { Int32((value * 65536).rounded()) }
    return Coefficients(
      black: range == .video ? 16 : 0, luma: fixed(lumaScale), redFromV: fixed(chromaScale * 2 * (1 - red)),
      greenFromU: fixed(chromaScale * -2 * (1 - blue) * blue / green),
      greenFromV: fixed(chromaScale * -2 * (1 - red) * red / green), blueFromU: fixed(chromaScale * 2 * (1 - blue)))
  }
}
