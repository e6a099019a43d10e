// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "picture-service",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "swiftlet", path: "../../..")],
  targets: [
    .executableTarget(
      name: "PictureService",
      dependencies: [
        .product(name: "SwiftletVision", package: "swiftlet"),
        .product(name: "SwiftletImageCodecs", package: "swiftlet"),
        .product(name: "SwiftletModels", package: "swiftlet"),
      ])
  ])
