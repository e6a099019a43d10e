import SwiftletImage
import Testing

@Suite("Coordinates and projections")
struct ImageProjectionTests {
  private func expectClose(_ a: NormalizedPoint, _ b: NormalizedPoint, _ comment: Comment? = nil) {
    #expect(abs(a.x - b.x) < 1e-5 && abs(a.y - b.y) < 1e-5, comment)
  }

  private func projection(
    _ width: Int, _ height: Int, _ region: NormalizedRect, keepsAspectRatio: Bool = false, flips: Bool = false
  ) throws -> ImageProjection {
    var converter = try ImageToTensor(
      width: 128, height: 128, encoding: .uint8, keepsAspectRatio: keepsAspectRatio, border: .zero)
    let image = try ImageBuffer(
      bytes: [UInt8](repeating: 0, count: width * height), width: width, height: height, pixelFormat: .gray8)
    return try converter.prepare(for: image, region: region, flipsHorizontally: flips)
  }

  @Test("the whole image projects onto itself")
  func wholeImageIsIdentity() throws {
    let projection = try projection(200, 100, .fullImage)
    expectClose(projection(NormalizedPoint(x: 0, y: 0)), NormalizedPoint(x: 0, y: 0))
    expectClose(projection(NormalizedPoint(x: 1, y: 0.25)), NormalizedPoint(x: 1, y: 0.25))
    #expect(projection.zScale == 1)
  }

  @Test("projecting removes the letterbox")
  func removesLetterbox() throws {
    let wide = try projection(200, 100, .fullImage, keepsAspectRatio: true)
    expectClose(wide(NormalizedPoint(x: 0, y: 0.25)), NormalizedPoint(x: 0, y: 0))
    expectClose(wide(NormalizedPoint(x: 1, y: 0.75)), NormalizedPoint(x: 1, y: 1))
    let tall = try projection(100, 200, .fullImage, keepsAspectRatio: true)
    expectClose(tall(NormalizedPoint(x: 0.25, y: 0)), NormalizedPoint(x: 0, y: 0))
    #expect(tall.zScale == 2)
  }

  @Test("an orientation's region projects upright points to stored ones", arguments: ImageOrientation.allCases)
  func projectsOrientation(orientation: ImageOrientation) throws {
    let region = NormalizedRect.fullImage.turnedUpright(orientation, imageWidth: 200, imageHeight: 100)
    let projection = try projection(200, 100, region, flips: orientation.isMirrored)
    for point in [NormalizedPoint(x: 0, y: 0), NormalizedPoint(x: 0.3, y: 0.9), NormalizedPoint(x: 1, y: 0.4)] {
      expectClose(projection(point), orientation.uprightToStored(point), "\(orientation)")
      expectClose(projection.followed(by: orientation.storedToUpright)(point), point, "\(orientation)")
    }
  }

  @Test("the inverse maps back")
  func inverseLeadsBack() throws {
    let region = NormalizedRect(center: NormalizedPoint(x: 0.4, y: 0.7), width: 0.3, height: 0.5, rotation: 0.8)
    let projection = try projection(200, 100, region)
    let inverse = try #require(projection.inverse)
    let point = NormalizedPoint(x: 0.2, y: 0.9)
    expectClose(inverse(projection(point)), point)
    expectClose(projection.followed(by: inverse)(point), point)
    #expect(ImageProjection(xx: 1, xy: 2, x0: 0, yx: 2, yy: 4, y0: 0).inverse == nil)
  }

  @Test("a rotated region projects its corners around its center, clockwise on the screen")
  func turnsClockwise() throws {
    // A square of 50 pixels, rotated so that its top edge points down along the right.
    let region = NormalizedRect(
      center: NormalizedPoint(x: 0.5, y: 0.5), width: 0.25, height: 0.5, rotation: Float(Double.pi / 2))
    let projection = try projection(200, 100, region)
    expectClose(projection(NormalizedPoint(x: 0, y: 0)), NormalizedPoint(x: 0.625, y: 0.25))
    expectClose(projection(NormalizedPoint(x: 1, y: 0)), NormalizedPoint(x: 0.625, y: 0.75))
    expectClose(projection(NormalizedPoint(x: 0.5, y: 0.5)), NormalizedPoint(x: 0.5, y: 0.5))
  }

  @Test("a box is projected corner by corner and stays upright")
  func projectsBox() {
    let quarterTurn = ImageOrientation.right.uprightToStored
    let box = quarterTurn.boundingBox(left: 0.1, top: 0.2, right: 0.4, bottom: 0.9)
    #expect(abs(box.left - 0.2) < 1e-6 && abs(box.right - 0.9) < 1e-6)
    #expect(abs(box.top - 0.6) < 1e-6 && abs(box.bottom - 0.9) < 1e-6)
  }

  @Test("the matrix has MediaPipe's layout")
  func matrixLayout() {
    let projection = ImageProjection(xx: 1, xy: 2, x0: 3, yx: 4, yy: 5, y0: 6, zScale: 7)
    #expect(projection.matrix == [1, 2, 0, 3, 4, 5, 0, 6, 0, 0, 7, 0, 0, 0, 0, 1])
  }

  @Test("pixels and fractions convert to each other, also outside the image")
  func convertsPixels() {
    let point = NormalizedPoint(x: -0.25, y: 1.5)
    #expect(point.inPixels(width: 200, height: 100) == PixelPoint(x: -50, y: 150))
    #expect(PixelPoint(x: -50, y: 150).normalized(width: 200, height: 100) == point)
    #expect(!point.isInsideImage)
    #expect(NormalizedPoint(x: 0, y: 1).isInsideImage)
  }
}
